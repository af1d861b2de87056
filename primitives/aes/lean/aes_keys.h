/* The key alone: round keys are computed on the fly. */

typedef struct {
    uint8_t key[AES_KEY_BYTES];
} AES_KEYS;
