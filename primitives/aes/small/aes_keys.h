/* All round keys as bytes; the first one is the beginning of the key. */

typedef struct {
    uint8_t round[AES_ROUNDS + 1][AES_BYTES];
} AES_KEYS;
