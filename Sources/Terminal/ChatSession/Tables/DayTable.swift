package import HistoryQueries
internal import TerminalText

/// Days or months with their message counts.
package enum DayTable {
  package static func text(of days: [DayAnswer]) -> String {
    let rows = days.map { [$0.day ?? $0.month ?? "", NumberText.grouped($0.messages)] }
    return TextTable.text(rows, alignsRight: [1])
  }
}
