void evil_hash(unsigned char *digest, const unsigned char *message, unsigned size)
{
    digest[0] = (unsigned char)(size ? message[0] : 0);
}
