/// A small generator of pseudo-random numbers that gives the same ones everywhere for the same seed.
///
/// The algorithm is that of <https://prng.di.unimi.it/splitmix64.c>. Only whole numbers are drawn: the mathematics
/// of floating point differ in the last digit between platforms.
package struct SplitMix64: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Creates a generator whose seed says all.
  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Returns a number from 0 to `bound` - 1, each as likely to within `bound` ÷ 2^32.
  mutating func below(_ bound: Int) -> Int {
    Int(((next() >> 32) &* UInt64(bound)) >> 32)
  }

  /// Returns whether the one case in `count` has come.
  mutating func oneIn(_ count: Int) -> Bool { below(count) == 0 }

  /// Returns a rank from 0 to 2^`octaves` - 2, about as frequent as 1 ÷ (rank + 1): Zipf's law in steps, each octave
  /// as likely as any other.
  mutating func zipf(octaves: Int) -> Int {
    let octave = below(octaves)
    return (1 << octave) - 1 + below(1 << octave)
  }
}
