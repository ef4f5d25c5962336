package import MessageSourceTesting

/// Choices in whole numbers: the mathematics of floating point differ in the last digit between platforms.
extension SeededGenerator {
  /// Returns a number from 0 to `bound` - 1, each as likely to within `bound` ÷ 2^32.
  package mutating func below(_ bound: Int) -> Int {
    Int(((next() >> 32) &* UInt64(bound)) >> 32)
  }

  /// Returns whether the one case in `count` has come.
  package mutating func oneIn(_ count: Int) -> Bool { below(count) == 0 }

  /// Returns a rank from 0 to 2^`octaves` - 2, about as frequent as 1 ÷ (rank + 1): Zipf's law in steps, each octave
  /// as likely as any other.
  package mutating func zipf(octaves: Int) -> Int {
    let octave = below(octaves)
    return (1 << octave) - 1 + below(1 << octave)
  }
}
