/* The key alone: round keys are made on the way. */

typedef struct {
    uint8_t key[AES_KEY_BYTES];
} AES_KEYS;
