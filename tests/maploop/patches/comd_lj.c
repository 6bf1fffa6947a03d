
#include <math.h>
#include <stdio.h>
#include "decomposition.h"
#include "initAtoms.h"

/* The forces on a crystal of copper that is a bit out of order, as CoMD.c sets it up. */
int main(void)
{
   SimFlat sim = {0};
   real3 extent;
   double f2 = 0, u = 0;
   sim.pot = initLjPot();
   for (int m = 0; m < 3; m++) extent[m] = 6 * sim.pot->lat;
   SpeciesData species = {"Cu", sim.pot->atomicNo, sim.pot->mass};
   sim.species = &species;
   sim.domain = initDecomposition(1, 1, 1, extent);
   sim.boxes = initLinkCells(sim.domain, sim.pot->cutoff);
   sim.atoms = initAtoms(sim.boxes);
   createFccLattice(6, 6, 6, sim.pot->lat, &sim);
   randomDisplacements(&sim, 0.1);
   for (int step = 0; step < 2; step++) sim.pot->force(&sim);
   for (int i = 0; i < MAXATOMS * sim.boxes->nLocalBoxes; i++) {
      u += sim.atoms->U[i];
      for (int m = 0; m < 3; m++) f2 += sim.atoms->f[i][m] * sim.atoms->f[i][m];
   }
   printf("%d atoms, energy %.10e, of atoms %.10e, forces %.10e\n", sim.atoms->nGlobal, sim.ePotential, u, sqrt(f2));
   return 0;
}
