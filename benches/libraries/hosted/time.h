/* What libraries' headers want of the clock, which nothing here reads. */

#ifndef TIME_H
#define TIME_H

typedef long clock_t;

#endif
