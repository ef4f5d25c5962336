internal import ChatSession
internal import Foundation
internal import MessageModel

/// The question of a run without a store: which of the histories in this home to import.
struct FirstRun {
  let console: Console
  let shell: Shell

  /// What the user decided.
  enum Decision {
    case openWindow, leave
  }

  /// The most commands that are offered: each has a digit.
  private static let limit = 9

  /// Offers a command for each history found, and runs those that the user accepts by its number.
  func offer() -> Decision {
    var offers = Array(FoundHistories(environment: shell.environment).offers.prefix(Self.limit))
    guard !offers.isEmpty else { return .openWindow }
    console.write("There is no history yet. Found on this computer by name; no file was opened:\n")
    while !offers.isEmpty {
      console.write(Self.text(of: offers))
      let key = KeyReader.key(from: shell.standardInput) {
        console.ask("\nA number imports it, Enter opens the window, q leaves: ")
      } where: { key in
        key.isNewline || Self.leaving.contains(key) || Self.index(of: key, among: offers) != nil
      }
      guard let key, !Self.leaving.contains(key) else {
        console.complain("")
        return .leave
      }
      guard let index = Self.index(of: key, among: offers) else { break }
      console.complain("\(key)")
      run(offers.remove(at: index))
    }
    return .openWindow
  }

  private static func index(of key: Character, among offers: [FoundHistories.Offer]) -> Int? {
    key.wholeNumberValue.flatMap { offers.indices.contains($0 - 1) ? $0 - 1 : nil }
  }

  /// q, Esc, Ctrl-C and Ctrl-D.
  private static let leaving: Set<Character> = ["q", "Q", "\u{1B}", "\u{3}", "\u{4}"]

  private static func text(of offers: [FoundHistories.Offer]) -> String {
    offers.enumerated().map { index, offer in
      "\n  \(index + 1)  \(offer.title)\n     \(PathBytes.shown(offer.command))\n"
    }.joined()
  }

  private func run(_ offer: FoundHistories.Offer) {
    switch OtherProgram.runAgain(offer.arguments, environment: shell.environment) {
    case .success: break
    case .failure(let failure): console.complain("scrollback: cannot run the command: \(failure.cause)")
    }
  }
}

private enum KeyReader {
  /// Asks, and waits for one of some keys, which is not shown; `nil` if the terminal is gone. Keys typed before
  /// the question, and the rest of a key that sends several bytes, are discarded.
  static func key(
    from terminal: Int32, asking ask: () -> Void, where isWanted: (Character) -> Bool
  ) -> Character? {
    var before = termios()
    guard tcgetattr(terminal, &before) == 0 else { return nil }
    var waiting = before
    waiting.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG)
    tcsetattr(terminal, TCSAFLUSH, &waiting)
    defer { tcsetattr(terminal, TCSAFLUSH, &before) }
    ask()
    var byte: UInt8 = 0
    while true {
      let count = read(terminal, &byte, 1)
      let key = Character(UnicodeScalar(byte))
      if count == 1, isWanted(key) { return key }
      if count == 0 || count < 0 && errno != EINTR { return nil }
    }
  }
}
