/* All round keys, sliced: word i holds bit i of the 16 bytes, of which byte 4c + r stands at bit 4r + c. */

typedef struct {
    uint16_t round[AES_ROUNDS + 1][8];
} AES_KEYS;
