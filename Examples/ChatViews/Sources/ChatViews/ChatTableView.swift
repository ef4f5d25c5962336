#if canImport(AppKit) && !targetEnvironment(macCatalyst)
  public import AppKit
  public import ScrollbackKit

  /// A chat in an `NSTableView`.
  public final class ChatTableView: NSViewController, NSTableViewDataSource, NSTableViewDelegate, ChatTable {
    private let feed: TableFeed
    private let table = NSTableView()
    private let scroll = NSScrollView()

    public init(_ model: MessageListModel) {
      feed = TableFeed(model)
      super.init(nibName: nil, bundle: nil)
    }

    @available(*, unavailable)
    public required init?(coder: NSCoder) { fatalError("A chat is not in a storyboard.") }

    public override func loadView() {
      table.addTableColumn(NSTableColumn(identifier: NSUserInterfaceItemIdentifier("row")))
      table.headerView = nil
      table.usesAutomaticRowHeights = true
      table.dataSource = self
      table.delegate = self
      scroll.documentView = table
      scroll.hasVerticalScroller = true
      scroll.contentView.postsBoundsChangedNotifications = true
      NotificationCenter.default.addObserver(
        self, selector: #selector(hasScrolled), name: NSView.boundsDidChangeNotification,
        object: scroll.contentView)
      view = scroll
    }

    public override func viewDidAppear() {
      super.viewDidAppear()
      feed.connect(self)
    }

    @objc private func hasScrolled() { feed.report() }

    public func numberOfRows(in tableView: NSTableView) -> Int { feed.items.count }

    public func tableView(_ tableView: NSTableView, viewFor column: NSTableColumn?, row: Int) -> NSView? {
      let text = RowText(feed.items[row])
      return NSTextField(
        wrappingLabelWithString: [text.title, text.text].compactMap(\.self).joined(separator: "\n"))
    }

    public var visibleRows: Range<Int> { Range(table.rows(in: table.visibleRect)) ?? 0..<0 }

    public func update(_ changes: IndexChanges, setRows: @escaping @MainActor () -> Void) {
      table.beginUpdates()
      setRows()
      for step in changes.steps {
        switch step {
        case .remove(let rows): table.removeRows(at: IndexSet(integersIn: rows))
        case .move(let row, let place): table.moveRow(at: row, to: place)
        case .insert(let rows): table.insertRows(at: IndexSet(integersIn: rows))
        case .reload(let rows):
          table.reloadData(forRowIndexes: IndexSet(integersIn: rows), columnIndexes: [0])
          table.noteHeightOfRows(withIndexesChanged: IndexSet(integersIn: rows))
        }
      }
      table.endUpdates()
      table.layoutSubtreeIfNeeded()
    }

    public func distance(to row: Int) -> Double {
      table.rect(ofRow: row).minY - scroll.contentView.bounds.minY
    }

    public func place(_ row: Int, at distance: Double) {
      scroll.contentView.scroll(to: NSPoint(x: 0, y: table.rect(ofRow: row).minY - distance))
      scroll.reflectScrolledClipView(scroll.contentView)
    }

    public func placeEnd() { table.scrollRowToVisible(feed.items.count - 1) }
  }
#endif
