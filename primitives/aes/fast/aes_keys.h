/* All round keys as words, byte 0 lowest; for decryption those of the equivalent inverse cipher. */

typedef struct {
    uint32_t w[4 * (AES_ROUNDS + 1)];
} AES_KEYS;
