"""A sweep of K-SVD in place."""

from helpers.decomposition.ksvd import update_atom


def sweep(X, A, B, R, exact):
    """The residual R = X - AB is kept up to date; only the stored codes of an atom are touched."""
    A = A.tocsc()
    A.eliminate_zeros()
    for j in range(len(B)):
        used = slice(A.indptr[j], A.indptr[j + 1])  # those of a^j
        rows, codes = A.indices[used], A.data[used]
        if len(rows):
            E = R[rows] + codes[:, None] * B[j]  # what the other atoms leave
            B[j], A.data[used] = update_atom(E, codes, exact=exact)
            E -= A.data[used, None] * B[j]
            R[rows] = E
    return A.tocsr(), B, R
