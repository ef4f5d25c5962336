internal import MessageModel
internal import MessageShell
internal import MessageStorage
internal import TerminalText

/// `filters`: lists the filters that were saved by name, saves one and forgets one.
enum FiltersCommand {
  /// Returns a table with a line per filter: name, messages of the whole store (`~` before an estimate), and how it
  /// was put.
  static func table(of filters: [SavedFilter]) -> String {
    let rows = filters.map { filter in
      [
        VisibleText.of(filter.name), (filter.isExact ? "" : "~") + NumberText.grouped(filter.total),
        VisibleText.of(filter.words),
        filter.countedPart < 1 ? "(\(Int(filter.countedPart * 100)) % counted)" : "",
      ]
    }
    return TextTable.text(rows, alignsRight: [1])
  }

  /// Returns a JSON object a line.
  static func json(of filters: [SavedFilter]) -> String {
    filters.map { filter in
      let fields = [
        "\"name\":\(JSONString.of(filter.name))", "\"messages\":\(filter.total)",
        "\"exact\":\(filter.isExact)",
        "\"filter\":\(JSONString.of(filter.words))",
      ]
      return "{\(fields.joined(separator: ","))}\n"
    }.joined()
  }

  /// Saves a filter and counts the messages that are there already. Ctrl-C stops the counting, which saving the same
  /// again carries on.
  ///
  /// - Returns: ``ExitStatus/incomplete`` if messages were passed over: the filter keeps them back.
  static func save(
    _ name: String, _ words: String, _ predicate: MessagePredicate, _ store: MessageStore, _ console: Console
  ) throws -> ExitStatus {
    try FilterName.check(name)
    if predicate == .everything {
      throw UsageError(
        "'\(VisibleText.of(name))' would let everything through",
        remedy: "scrollback filters save \(name) --from alice --has link")
    }
    try store.saveFilter(named: name, words: words, predicate: predicate)
    var meter = ProgressMeter(console)
    defer { meter.clear() }
    let filter = try store.countFilter(named: name) { seen, all in
      meter.show(seen, unit: "messages", done: Int64(seen), of: Int64(all))
      return !Interruption.isAskedFor
    }
    meter.clear()
    console.note("saved '\(VisibleText.of(name))': \(NumberText.counted(filter.total, "message"))")
    return CostlyMessages.tell(of: store, console, else: .done)
  }
}
