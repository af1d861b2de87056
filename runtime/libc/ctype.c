/* Character handling for ASCII (ISO/IEC 9899:2011, section 7.4). */

#include <ctype.h>

static int within(int c, int first, int last)
{
    return c >= first && c <= last;
}

int isdigit(int c)
{
    return within(c, '0', '9');
}

int islower(int c)
{
    return within(c, 'a', 'z');
}

int isupper(int c)
{
    return within(c, 'A', 'Z');
}

int isalpha(int c)
{
    return islower(c) || isupper(c);
}

int isalnum(int c)
{
    return isalpha(c) || isdigit(c);
}

int isspace(int c)
{
    return c == ' ' || within(c, '\t', '\r');
}

int isprint(int c)
{
    return within(c, ' ', '~');
}

int isxdigit(int c)
{
    return isdigit(c) || within(c, 'a', 'f') || within(c, 'A', 'F');
}

int tolower(int c)
{
    return isupper(c) ? c - 'A' + 'a' : c;
}

int toupper(int c)
{
    return islower(c) ? c - 'a' + 'A' : c;
}
