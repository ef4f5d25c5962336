internal import MessageModel
internal import TerminalText

extension HistoryView {
  mutating func block(_ index: Int) -> [ShownRow] {
    let message = window[index]
    let before = index > 0 ? window[index - 1] : nil
    var block: [ShownRow] = []
    let folded = foldedRows(index)
    if beginsDay(message, after: before) {
      block.append(ShownRow(row: layout.daySeparator(layout.day(of: message)), isDate: true))
    } else if settings.isRoomy, folded?.isEmpty != true, let before, before.sender != message.sender {
      block.append(ShownRow(row: Row()))
    }
    if beginsUnread(message, after: before) { block.append(ShownRow(row: layout.unreadSeparator())) }
    if let folded { return block + folded.map { ShownRow(row: $0, begins: message.id) } }
    let answered = message.replyTo.flatMap { quoted($0) }
    let rows = layout.rows(
      of: message, quoting: answered.map { naming?.named($0) ?? $0 },
      answers: answers(to: message, at: index),
      result: StepResult(of: message, followedBy: index + 1 < window.count ? window[index + 1] : nil),
      under: naming?.names(of: message) ?? ShownNames())
    for (row, content) in rows.enumerated() {
      block.append(
        ShownRow(
          row: content, begins: row == 0 ? message.id : nil, folds: content.isFold ? message.id : nil))
    }
    return block
  }

  private mutating func beginsDay(_ message: Message, after before: Message?) -> Bool {
    guard let before else { return !window.header.hasOlder }
    return layout.day(of: before) != layout.day(of: message)
  }

  private func beginsUnread(_ message: Message, after before: Message?) -> Bool {
    guard let mark = unreadAfter, message.id > mark else { return false }
    return before.map { $0.id <= mark } ?? !window.header.hasOlder
  }

  /// The quoted message; read if it is not held.
  private mutating func quoted(_ id: Message.ID) -> Message? {
    if let held = window.message(id) { return held }
    if let known = quotes[id] { return known }
    if quotes.count > 512 { quotes = [:] }
    let request = PageRequest(
      Selection(window.selection.conversations), anchor: .around(id), fetchLimit: 1, wantsCounts: false)
    // A failed or cancelled read is repeated later.
    guard let page = try? (snapshot ?? source).page(request) else { return nil }
    let found = page.messages.first { $0.id == id }
    quotes[id] = .some(found)
    return found
  }
}
