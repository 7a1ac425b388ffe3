"""Problems to begin with: `nrpa new` writes the knapsack."""
