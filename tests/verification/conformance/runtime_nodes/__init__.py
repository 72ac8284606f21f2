"""Random valid nodes of the operators that onnxruntime registers on its own: a function for each, a file for each family."""
