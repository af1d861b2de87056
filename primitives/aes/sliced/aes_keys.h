/* All round keys as slices; those from the second on with what the substitution adds to every byte. */

typedef struct {
    uint32_t w[4 * (AES_ROUNDS + 1)];
} AES_KEYS;
