/* What `inlay compress FILE --json` and `inlay maploop FILE -o FILE` do, by the library. */
#include <inlay/inlay.h>
#include <stdio.h>

int main(int words, char **word)
{
    inlay_diag *diag = inlay_diag_new();
    inlay_compression *counts = NULL;
    const char *definition = "n=4";
    const inlay_compress_options options = {.definitions = {&definition, 1}};
    int status = words == 4 ? inlay_compress(word[1], &options, &counts, diag) : INLAY_BAD_ARGUMENT;
    const inlay_result_context context = {.command = "compress", .said = diag};
    status = status == INLAY_OK ? inlay_compression_write_json(counts, &context, "-", diag) : status;
    status = status == INLAY_OK ? inlay_maploop(word[2], NULL, word[3], diag) : status;
    if (status != INLAY_OK) {
        (void)fprintf(stderr, "%s\n", inlay_diag_message(diag));
    }
    inlay_compression_free(counts);
    inlay_diag_free(diag);
    return inlay_exit_status(status);
}
