#define CRYPTO_KEYBYTES 16
#define CRYPTO_NSECBYTES 0
#define CRYPTO_NPUBBYTES 12
#define CRYPTO_ABYTES 16
#define CRYPTO_ALGNAME "Toy"
int crypto_aead_encrypt(unsigned char *, unsigned long long *);
int crypto_aead_decrypt(unsigned char *, unsigned long long *);
