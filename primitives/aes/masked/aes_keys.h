/* Random bytes for the masks of one block, and all round keys, byte by byte. The caller fills `random` with fresh bytes
 * before each block; with zeros the result is the same, and nothing is masked. */

typedef struct {
    uint8_t random[6];
    uint8_t round[AES_ROUNDS + 1][AES_BYTES];
} AES_KEYS;
