/* All round keys, byte by byte, the first of which begins the key. */

typedef struct {
    uint8_t round[AES_ROUNDS + 1][AES_BYTES];
} AES_KEYS;
