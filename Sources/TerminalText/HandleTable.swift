package import MessageModel

/// The letters in the margin by which the messages on the screen are called.
///
/// A message keeps its letter as long as it stays on the screen; one that comes gets the first that is free.
package struct HandleTable: Sendable {
  private var numbers: [Message.ID: Int] = [:]

  /// Creates a table of nothing.
  package init() {}

  /// Gives letters to the messages on the screen and takes them from all others.
  package mutating func update(visible: [Message.ID]) {
    let staying = Set(visible)
    numbers = numbers.filter { staying.contains($0.key) }
    let taken = Set(numbers.values)
    var free = (0...).lazy.filter { !taken.contains($0) }.makeIterator()
    for id in visible where numbers[id] == nil { numbers[id] = free.next() }
  }

  /// Returns the letters of a message, `nil` if it is not on the screen.
  package func handle(of id: Message.ID) -> String? { numbers[id].map(Self.letters) }

  /// Returns the message that is called so, `nil` if none on the screen is.
  package func message(called handle: some StringProtocol) -> Message.ID? {
    numbers.first { Self.letters($0.value) == handle }?.key
  }

  /// Returns a, b … z, aa, ab … for 0, 1, …
  private static func letters(_ number: Int) -> String {
    var number = number
    var letters = ""
    repeat {
      letters = String(UnicodeScalar(UInt8(ascii: "a") + UInt8(number % 26))) + letters
      number = number / 26 - 1
    } while number >= 0
    return letters
  }
}
