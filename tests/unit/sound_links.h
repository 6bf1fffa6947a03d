/* What must hold of every run over links. */
#ifndef UNIT_SOUND_LINKS_H
#define UNIT_SOUND_LINKS_H

#include <inlay/inlay.h>

/** inlay_simulate(), recorded, and what holds of every run over links: times add up, and the path has no gap. */
inlay_simulation *links_simulated(const inlay_mapping *mapping, inlay_simulation_options options);

#endif
