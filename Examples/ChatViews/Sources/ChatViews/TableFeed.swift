public import ScrollbackKit

/// What a table view can do, in UIKit, in AppKit and in tests.
@MainActor public protocol ChatTable: AnyObject {
  /// The rows on the screen.
  var visibleRows: Range<Int> { get }
  /// Carries out changes, and calls `setRows` when the view must have the new rows.
  func update(_ changes: IndexChanges, setRows: @escaping @MainActor () -> Void)
  /// The distance from the top of the screen to the top of a row.
  func distance(to row: Int) -> Double
  /// Scrolls so that a row is at a distance from the top of the screen.
  func place(_ row: Int, at distance: Double)
  /// Scrolls to the end.
  func placeEnd()
}

/// Keeps a table view at the rows of a model, and the reader at their place.
@MainActor public final class TableFeed {
  /// The rows of the table, which are those of the model but during an update.
  public private(set) var items: MessageRows
  private let model: MessageListModel
  private weak var table: (any ChatTable)?

  public init(_ model: MessageListModel) {
    self.model = model
    items = model.rows
  }

  /// Begins to update a table, which has loaded ``items``.
  public func connect(_ table: any ChatTable) {
    self.table = table
    model.onSnapshot = { [weak self] snapshot, changes in self?.show(snapshot, changes) }
    if let landing = model.landing, let row = items.firstIndex(where: { $0.id == landing.row }) {
      if landing.isAtEnd { table.placeEnd() } else { table.place(row, at: 0) }
    }
  }

  /// Reports the rows on the screen: call it when the reader has scrolled.
  public func report() {
    if let table { model.readerSees(table.visibleRows) }
  }

  private func show(_ snapshot: MessageList.Snapshot, _ changes: IndexChanges) {
    guard let table else {
      items = model.rows
      return
    }
    let visible = table.visibleRows
    let scroll =
      items.isEmpty ? snapshot.scroll : snapshot.scroll(showing: items.messageIndices(in: visible))
    // The first visible row that stays keeps its place.
    let kept = visible.lazy.compactMap { row in changes.indexAfter(row).map { ($0, table.distance(to: row)) }
    }
    .first
    if !changes.isEmpty { table.update(changes) { [self] in items = model.rows } }
    switch scroll {
    case .keep:
      if let kept, !changes.isEmpty { table.place(kept.0, at: kept.1) }
    case .end: table.placeEnd()
    case .row(let id, let offset):
      if let row = items.index(of: id) { table.place(row, at: -Double(offset)) }
    }
    report()
  }
}
