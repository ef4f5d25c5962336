#if canImport(SwiftUI)
  public import ScrollbackKit
  public import SwiftUI

  /// A chat in a `ScrollView`, whose position SwiftUI keeps by the identity of rows.
  public struct ChatScroll: View {
    @State private var model: MessageListModel
    @State private var position = ScrollPosition(idType: MessageRows.Row.ID.self)

    public init(_ model: MessageListModel) { _model = State(initialValue: model) }

    public var body: some View {
      ScrollView {
        LazyVStack(alignment: .leading) {
          ForEach(model.rows) { ChatRow($0) }
        }
        .scrollTargetLayout()
      }
      .defaultScrollAnchor(.bottom)
      .scrollPosition($position)
      .onScrollTargetVisibilityChange(idType: MessageRows.Row.ID.self, threshold: 0.1) { visible in
        model.readerSees(visible)
      }
      .onChange(of: model.landing, initial: true) { _, landing in
        if let landing { position.scrollTo(id: landing.row, anchor: landing.isAtEnd ? .bottom : .top) }
      }
    }
  }
#endif
