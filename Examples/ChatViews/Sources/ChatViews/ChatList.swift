#if canImport(SwiftUI)
  public import ScrollbackKit
  public import SwiftUI

  /// A chat in a `List`.
  public struct ChatList: View {
    @State private var model: MessageListModel
    @State private var visible: Set<MessageRows.Row.ID> = []

    public init(_ model: MessageListModel) { _model = State(initialValue: model) }

    public var body: some View {
      ScrollViewReader { view in
        List(model.rows) { item in
          ChatRow(item)
            .onAppear { visible.insert(item.id) }
            .onDisappear { visible.remove(item.id) }
        }
        .onChange(of: visible) { model.readerSees(visible) }
        .onChange(of: model.landing, initial: true) { _, landing in
          if let landing { view.scrollTo(landing.row, anchor: landing.isAtEnd ? .bottom : .top) }
        }
      }
    }
  }

  /// A row of a chat.
  struct ChatRow: View {
    private let row: RowText

    init(_ item: MessageRows.Row) { row = RowText(item) }

    var body: some View {
      VStack(alignment: .leading) {
        if let title = row.title { Text(title).font(.headline) }
        Text(row.text)
      }
    }
  }
#endif
