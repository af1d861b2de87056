/* What the start-up code calls in the place of an entry that returns nothing: the program ends with code 0 behind it.
 *
 * The names are those of the linker's `--wrap=main`. */

void __real_main(void);
int  __wrap_main(void);

int __wrap_main(void)
{
    __real_main();
    return 0;
}
