package import HistoryQueries
internal import MessageModel
package import TerminalText

/// Tokens and cost by a property: bars on a terminal; elsewhere name, tokens sent, tokens received and dollars with
/// tabs between them.
package enum UsageTable {
  /// A line per group and, on a terminal, the sums.
  ///
  /// - Parameter home: The user's home folder, shown as `~`; `nil` if unknown.
  package static func text(
    of answer: UsageAnswer, by grouping: UsageGrouping, home: String?, layout: TableLayout
  ) -> String {
    let names = answer.groups.map { name(of: $0, grouping, home: home) }
    guard let columns = layout.columns else {
      return zip(names, answer.groups).map { name, group in
        "\(name)\t\(group.tokensSent)\t\(group.tokensReceived)\t\(group.dollars.map(SessionTable.dollars) ?? "")\n"
      }.joined()
    }
    var rows = bars(answer.groups, names, columns: columns)
    if let others = answer.others { rows.append(Row("and \(NumberText.grouped(others)) more", .dim)) }
    rows += sums(answer.total).map { Row($0, .dim) }
    return rows.map { layout.encoder.string($0.withoutSpacesAtEnd) + "\n" }.joined()
  }

  /// A line for a prompt or a status bar: `$3.42 · 1.2M in · 84k out`.
  package static func line(_ group: UsageGroupAnswer) -> String {
    var parts = ["\(short(group.tokensSent)) in", "\(short(group.tokensReceived)) out"]
    if let dollars = group.dollars { parts.insert(SessionTable.dollars(dollars), at: 0) }
    if let unpriced = group.tokensUnpriced { parts.append("\(short(unpriced)) without a price") }
    return parts.joined(separator: " · ")
  }

  private static func name(of group: UsageGroupAnswer, _ grouping: UsageGrouping, home: String?) -> String {
    switch grouping {
    case .day: group.day ?? ""
    case .model: group.model.map { VisibleText.of($0, keepsTabs: false) } ?? "unknown model"
    case .project: group.project.map { SessionTable.folder($0, home: home) } ?? "unknown folder"
    case .program: group.program.map { VisibleText.of($0, keepsTabs: false) } ?? "unknown program"
    }
  }

  private static func bars(_ groups: [UsageGroupAnswer], _ names: [String], columns: Int) -> [Row] {
    let names = names.map { $0.cut(columns: min(GroupTable.mostNameColumns, max(4, columns / 3))) }
    let figures = groups.map { group in
      [
        "\(short(group.tokensSent)) in", "\(short(group.tokensReceived)) out",
        group.dollars.map(SessionTable.dollars) ?? "",
      ]
    }
    let widths = (0..<3).map { column in figures.map(\.[column].count).max() ?? 0 }
    let nameWidth = names.map { DisplayWidth.columns(of: $0) }.max() ?? 0
    // Costs say more than tokens, whose prices differ a hundredfold.
    let sizes = groups.contains { $0.dollars != nil } ? groups.map(cents) : groups.map(tokens)
    return groups.indices.map { index in
      var row = Row(names[index])
      var end = nameWidth
      for (figure, width) in zip(figures[index], widths) where width > 0 {
        end += 2 + width
        row.pad(to: end - figure.count)
        row.append(figure)
      }
      row.pad(to: end + 2)
      let bar = GroupTable.bar(sizes[index], of: sizes.max() ?? 1, columns: columns - end - 2)
      row.append(bar, Style(color: .notice))
      return row
    }
  }

  private static func cents(_ group: UsageGroupAnswer) -> Int {
    Int((min(max(group.dollars ?? 0, 0), 1e12) * 100).rounded(.up))
  }

  private static func tokens(_ group: UsageGroupAnswer) -> Int {
    Int(clamping: group.tokensSent.adding(group.tokensReceived))
  }

  private static func sums(_ total: UsageGroupAnswer) -> [String] {
    var tokens = "\(short(total.tokensSent)) tokens in"
    if let cached = total.tokensCached { tokens += " (\(short(cached)) of them cached)" }
    tokens += ", \(short(total.tokensReceived)) out"
    if let dollars = total.dollars { tokens += ", \(SessionTable.dollars(dollars))" }
    var parts: [String] = []
    if let dollars = total.dollarsByPrices {
      parts.append("\(SessionTable.dollars(dollars)) by prices of tokens")
    }
    if let unpriced = total.tokensUnpriced { parts.append("\(short(unpriced)) tokens without a price") }
    return [tokens] + (parts.isEmpty ? [] : [parts.joined(separator: ", ")])
  }

  private static func short(_ count: Int64) -> String { NumberText.short(Int(clamping: count)) }
}
