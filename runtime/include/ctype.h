/* Character handling for ASCII (C11, 7.4). */

#ifndef COCRYPT_CTYPE_H
#define COCRYPT_CTYPE_H

int isdigit(int c);
int islower(int c);
int isupper(int c);
int isalpha(int c);
int isalnum(int c);
int isspace(int c);
int isprint(int c);
int isxdigit(int c);
int tolower(int c);
int toupper(int c);

#endif
