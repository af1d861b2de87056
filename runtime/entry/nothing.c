/* Wraps an entry function that returns nothing, so that the program ends with exit code 0.
 *
 * The names are those of the linker's `--wrap=main`. */

void __real_main(void);
int  __wrap_main(void);

int __wrap_main(void)
{
    __real_main();
    return 0;
}
