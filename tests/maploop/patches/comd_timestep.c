
#include <stdio.h>
#include "decomposition.h"
#include "initAtoms.h"
#include "haloExchange.h"
#include "ljForce.h"

/* Some steps of a crystal of copper, as CoMD.c sets it up. */
int main(void)
{
   static SimFlat sim;
   real3 extent;
   double r2 = 0;
   sim.pot = initLjPot();
   for (int m = 0; m < 3; m++) extent[m] = 5 * sim.pot->lat;
   SpeciesData species = {"Cu", sim.pot->atomicNo, sim.pot->mass};
   sim.species = &species;
   sim.domain = initDecomposition(1, 1, 1, extent);
   sim.boxes = initLinkCells(sim.domain, sim.pot->cutoff);
   sim.atoms = initAtoms(sim.boxes);
   createFccLattice(5, 5, 5, sim.pot->lat, &sim);
   setTemperature(&sim, 600);
   randomDisplacements(&sim, 0.1);
   sim.atomExchange = initAtomHaloExchange(sim.domain, sim.boxes);
   redistributeAtoms(&sim);
   computeForce(&sim);
   kineticEnergy(&sim);
   for (int i = 0; i < 3; i++) {
      timestep(&sim, 4, 1.0);
      printf("%d: %.8e %.8e\n", i, sim.ePotential, sim.eKinetic);
   }
   for (int b = 0; b < sim.boxes->nLocalBoxes; b++)
      for (int i = 0; i < sim.boxes->nAtoms[b]; i++) r2 += sim.atoms->r[b * MAXATOMS + i][0];
   printf("%.10e\n", r2);
   return 0;
}
