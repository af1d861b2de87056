void work(void);

void work(void) {}
