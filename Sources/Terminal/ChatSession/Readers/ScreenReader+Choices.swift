internal import MessageModel
internal import TerminalText

extension ScreenReader {
  struct Choices: Hashable {
    let words: [String]
    var turns = 0
  }

  mutating func show(choices words: [String]) {
    notice = nil
    let turns = choices?.words == words ? (choices?.turns ?? 0) + 1 : 0
    choices = Choices(words: words, turns: turns)
  }

  /// Columns of completions, on up to half of the view, and a status if there are more.
  var choicesDrawn: (rows: [Row], status: Row?) {
    guard let choices else { return ([], nil) }
    let words = choices.words.map(Self.shown)
    let width = 2 + (words.map { DisplayWidth.columns(of: $0) }.max() ?? 0)
    let perRow = max(1, (columns + 1) / width)
    let perPage = max(1, view.height / 2) * perRow
    let page = choices.turns % ((words.count + perPage - 1) / perPage)
    let shown = words[(page * perPage)...].prefix(perPage)
    let rows = stride(from: shown.startIndex, to: shown.endIndex, by: perRow).map { start in
      var row = Row(" ", .status)
      for (place, word) in shown[start...].prefix(perRow).enumerated() {
        row.pad(to: 1 + place * width, .status)
        row.append(word, .status)
      }
      return row
    }
    if shown.count == words.count { return (rows, nil) }
    let range = "\(shown.startIndex + 1)–\(shown.endIndex) of \(words.count)"
    return (rows, Row(" \(range); Tab shows more", .status))
  }

  /// An emoji stands before its name.
  static func shown(_ word: String) -> String {
    (EmojiNames.emoji(named: word).map { $0 + " " } ?? "") + SafeText.oneLine(word)
  }
}
