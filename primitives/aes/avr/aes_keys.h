/* All round keys as bytes, for both directions. */

typedef struct {
    uint8_t k[AES_BYTES * (AES_ROUNDS + 1)];
} AES_KEYS;
