"""Problems to begin with: `nrpa new` writes the tour for prizes, or the knapsack as kernels."""
