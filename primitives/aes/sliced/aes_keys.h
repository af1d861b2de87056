/* All round keys, bit-sliced; those from the second on include the constant that SubBytes adds to every byte. */

typedef struct {
    uint32_t w[4 * (AES_ROUNDS + 1)];
} AES_KEYS;
