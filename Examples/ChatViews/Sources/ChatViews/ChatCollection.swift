#if canImport(UIKit)
  public import ScrollbackKit
  public import UIKit

  /// A chat in a `UICollectionView`.
  public final class ChatCollection: UICollectionViewController, ChatTable {
    private let feed: TableFeed

    public init(_ model: MessageListModel) {
      feed = TableFeed(model)
      let list = UICollectionLayoutListConfiguration(appearance: .plain)
      super.init(collectionViewLayout: UICollectionViewCompositionalLayout.list(using: list))
    }

    @available(*, unavailable)
    public required init?(coder: NSCoder) { fatalError("A chat is not in a storyboard.") }

    public override func viewDidLoad() {
      super.viewDidLoad()
      collectionView.register(UICollectionViewListCell.self, forCellWithReuseIdentifier: "row")
    }

    public override func viewDidAppear(_ animated: Bool) {
      super.viewDidAppear(animated)
      feed.connect(self)
    }

    public override func collectionView(_ view: UICollectionView, numberOfItemsInSection section: Int) -> Int
    {
      feed.items.count
    }

    public override func collectionView(_ view: UICollectionView, cellForItemAt path: IndexPath)
      -> UICollectionViewCell
    {
      let cell = view.dequeueReusableCell(withReuseIdentifier: "row", for: path)
      let row = RowText(feed.items[path.item])
      var content = UIListContentConfiguration.cell()
      content.text = row.title ?? row.text
      content.secondaryText = row.title == nil ? nil : row.text
      cell.contentConfiguration = content
      return cell
    }

    public override func scrollViewDidScroll(_ scrollView: UIScrollView) { feed.report() }

    public var visibleRows: Range<Int> {
      let rows = collectionView.indexPathsForVisibleItems.map(\.item)
      guard let first = rows.min(), let last = rows.max() else { return 0..<0 }
      return first..<(last + 1)
    }

    public func update(_ changes: IndexChanges, setRows: @escaping @MainActor () -> Void) {
      let batch = changes.batch
      let path = { (row: Int) in IndexPath(item: row, section: 0) }
      UIView.performWithoutAnimation {
        collectionView.performBatchUpdates {
          setRows()
          collectionView.deleteItems(at: batch.deletes.map(path))
          collectionView.insertItems(at: batch.inserts.map(path))
          for move in batch.moves {
            collectionView.moveItem(at: path(move.source), to: path(move.destination))
          }
        }
        collectionView.reconfigureItems(at: batch.reloads.map(path))
        collectionView.layoutIfNeeded()
      }
    }

    public func distance(to row: Int) -> Double { top(of: row) - collectionView.contentOffset.y - inset }

    public func place(_ row: Int, at distance: Double) {
      collectionView.contentOffset.y = top(of: row) - distance - inset
    }

    public func placeEnd() {
      guard !feed.items.isEmpty else { return }
      collectionView.scrollToItem(
        at: IndexPath(item: feed.items.count - 1, section: 0), at: .bottom, animated: false)
    }

    private var inset: Double { collectionView.adjustedContentInset.top }

    private func top(of row: Int) -> Double {
      collectionView.layoutAttributesForItem(at: IndexPath(item: row, section: 0))?.frame.minY ?? 0
    }
  }
#endif
