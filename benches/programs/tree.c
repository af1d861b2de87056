/* A treap of keys that a generator draws: insertions, look-ups and a walk over nodes in a pool. */
#include "kernel.h"

#define COUNT 256
typedef struct Node {
    struct Node *left, *right;
    uint32_t     key, priority, value;
} Node;

static Node pool[COUNT];

static Node *insert(Node *root, Node *fresh)
{
    if (!root)
        return fresh;
    if (fresh->key < root->key) {
        Node *left = root->left = insert(root->left, fresh);
        if (left->priority > root->priority) {
            root->left  = left->right;
            left->right = root;
            return left;
        }
    } else {
        Node *right = root->right = insert(root->right, fresh);
        if (right->priority > root->priority) {
            root->right = right->left;
            right->left = root;
            return right;
        }
    }
    return root;
}

static const Node *find(const Node *root, uint32_t key)
{
    while (root && root->key != key)
        root = key < root->key ? root->left : root->right;
    return root;
}

static uint32_t walk(const Node *root, uint32_t depth)
{
    return root ? walk(root->left, depth + 1) * 33 + root->key * depth + walk(root->right, depth + 1) : 1;
}

uint32_t kernel(uint32_t rounds)
{
    uint32_t seed = 7, sum = 0;
    while (rounds--) {
        Node *root = 0;
        for (int i = 0; i < COUNT; i++) {
            seed    = seed * 1664525u + 1013904223u;
            pool[i] = (Node){0, 0, seed >> 8 & 1023, seed ^ seed >> 15, (uint32_t)i};
            root    = insert(root, &pool[i]);
        }
        for (uint32_t key = 0; key < 1024; key++) {
            const Node *found = find(root, key);
            sum += found ? found->value : 3;
        }
        sum ^= walk(root, 0);
    }
    return sum;
}
