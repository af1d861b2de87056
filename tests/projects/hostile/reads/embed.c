const unsigned char output[] = {
#embed "@HOME@/.ssh/id_secret"
};
int main(void) { return 0; }
