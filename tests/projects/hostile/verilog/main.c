/* Nothing is wrong with this program. */

unsigned char output[1];

int main(void)
{
    output[0] = 1;
    return 0;
}
