holds
holds
holds
holds
holds
holds
