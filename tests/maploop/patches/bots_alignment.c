
bots_verbose_mode_t bots_verbose_mode = BOTS_VERBOSE_NONE;
void bots_error(int error, char *message) { exit(fprintf(stderr, "%s\n", message) > 0 ? error : 1); }

/* Sequences of its own, with the parameters for proteins. */
int main(void)
{
   unsigned s = 3;
   init_matrix();
   nseqs = 12;
   gap_open_scale = gap_extend_scale = 1.0;
   pw_go_penalty = 10.0;
   pw_ge_penalty = 0.1;
   seqlen_array = malloc((nseqs + 1) * sizeof *seqlen_array);
   seq_array = malloc((nseqs + 1) * sizeof *seq_array);
   for (int i = 1; i <= nseqs; i++) {
      seqlen_array[i] = 40 + i;
      seq_array[i] = malloc(seqlen_array[i] + 2);
      for (int k = 1; k <= seqlen_array[i]; k++) {
         s = s * 1103515245u + 12345u;
         seq_array[i][k] = k % 3 ? (char)(k % 19) : (char)((s >> 16) % 20);
      }
   }
   align_init();
   align();
   for (int i = 0; i < nseqs; i++)
      for (int j = i + 1; j < nseqs; j++) printf("%d%c", bench_output[i * nseqs + j], j + 1 < nseqs ? ' ' : '\n');
   return 0;
}
