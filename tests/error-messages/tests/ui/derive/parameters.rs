use shape_core::Operator;

#[derive(Operator)]
#[operator(
    domain = "com.acme",
    since_version = 1,
    types(
        T: [float, flaot, bfloat16, float],
        U: [],
        V: float,
        W: [bool],
        T: [double],
        1: [bool],
        X: [seq(tensor(float)), seq<float>],
    ),
    inputs(
        data: S,
        element: float,
        fixed: tensor(flaot),
        form: tesnor(float),
        slip: Optional<T>,
        nothing: Option<>,
        more: Option<T, U>,
        string: "T",
        missing,
        rest: Variadic<T>,
        data: T,
    ),
    outputs(
        a: Variadic<T, min_arity = -1>,
        b: Variadic<T, homogenous = false, 7>,
        c: Variadic<T, homogeneous = 1>,
        d: X,
        e: U,
    )
)]
struct Wrong;

/// A list that cannot be read is one mistake, and not also that its type variables are not there.
#[derive(Operator)]
#[operator(domain = "com.acme", since_version = 1, type(T: [float]), inputs(x: T), outputs(y: U))]
struct Slip;

#[derive(Operator)]
#[operator(
    domain = "com.acme",
    since_version = 1,
    types(
        A: [bool], B: [bool], C: [bool], D: [bool], E: [bool], F: [bool], G: [bool], H: [bool], I: [bool], J: [bool],
        K: [bool], L: [bool], M: [bool], N: [bool], O: [bool], P: [bool], Q: [bool],
    ),
    inputs(a: A, b: B, c: C, d: D, e: E, f: F, g: G, h: H, i: I, j: J, k: K, l: L, m: M, n: N, o: O, p: P, q: Q),
)]
struct Many;

fn main() {}
