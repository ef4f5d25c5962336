package import MessageModel

/// The letters in the margin that name the messages on the screen.
///
/// A message keeps its letter while it is on the screen. New ones continue the sequence after the newest or
/// before the oldest, and start again at `a` when the alphabet ends.
package struct HandleTable: Sendable {
  private var numbers: [Message.ID: Int] = [:]

  package init() {}

  /// Assigns letters to the visible messages, oldest first, and frees all others.
  package mutating func update(visible: [Message.ID]) {
    let staying = Set(visible)
    numbers = numbers.filter { staying.contains($0.key) }
    // Whole alphabets, enough for the letters that stay.
    let most = max(visible.count, (numbers.values.max() ?? 0) + 1)
    let ring = (most + 25) / 26 * 26
    var taken = Set(numbers.values)
    func name(_ ids: some Sequence<Message.ID>, from number: Int?, by step: Int) {
      var last = number ?? -1
      for id in ids {
        if let number = numbers[id] {
          last = number
          continue
        }
        repeat { last = (last + step + ring) % ring } while taken.contains(last)
        numbers[id] = last
        taken.insert(last)
      }
    }
    let oldest = visible.firstIndex { numbers[$0] != nil } ?? visible.startIndex
    name(visible[oldest...], from: nil, by: 1)
    name(visible[..<oldest].reversed(), from: visible.dropFirst(oldest).first.flatMap { numbers[$0] }, by: -1)
  }

  package func handle(of id: Message.ID) -> String? { numbers[id].map(Self.letters) }

  package func message(called handle: some StringProtocol) -> Message.ID? {
    numbers.first { Self.letters($0.value) == handle }?.key
  }

  /// a, b … z, aa, ab … for 0, 1, …
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
