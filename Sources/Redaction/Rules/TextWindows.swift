/// Cuts a long text into windows that overlap, so that it is looked through in bounded memory: what is shorter than ``margin``
/// stands whole in one of them.
package struct TextWindows: Sendable {
  private var buffer: [UInt8] = []

  package static let size = 256 << 10
  package static let margin = 32 << 10

  /// Creates windows over a text that begins.
  package init() {}

  /// A part of a text.
  package struct Window {
    package let bytes: [UInt8]
    /// The end of what counts: what ends behind it stands in the next window again, with what follows.
    package let end: Int
  }

  /// Takes what comes next, and returns the next window if it is full.
  package mutating func take(_ bytes: some Collection<UInt8>) -> Window? {
    buffer += bytes
    guard buffer.count >= Self.size else { return nil }
    let window = Window(bytes: buffer, end: buffer.count - Self.margin)
    buffer.removeFirst(overlapStart)
    return window
  }

  /// Returns the last window.
  package mutating func finish() -> Window {
    defer { buffer = [] }
    return Window(bytes: buffer, end: buffer.count)
  }

  /// Where the next window begins: not within a word.
  private var overlapStart: Int {
    let earliest = buffer.count - 2 * Self.margin
    return buffer[earliest...].prefix(Self.margin / 2).firstIndex { $0 <= 0x20 || $0 == 0x22 } ?? earliest
  }
}
