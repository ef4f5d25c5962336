internal import MessageModel

extension ReplContext {
  /// The messages in view when somebody asks for another place.
  package struct InView {
    /// The time from which steps in time are counted.
    var time: Timestamp
    /// A step back ends before this message.
    var first: Message.ID
    /// A step forward ends behind this one.
    var last: Message.ID
  }

  /// Returns the anchor of a moment. A step into a gap, back or forward, ends at the next message on that side of what
  /// is in view: it never leads back to where it began.
  mutating func anchor(for expression: TimeExpression, from view: InView?) throws -> PageAnchor? {
    let moment = expression.moment(now: now(), place: view?.time, clock: &clock)
    guard let isBack = expression.isStepBack, let view else { return .time(moment) }
    let edge = isBack ? view.first : view.last
    if let found = try message(at: .time(moment)), isBack ? found < edge : found > edge {
      return .around(found)
    }
    return try message(at: isBack ? .before(edge) : .after(edge)).map { .around($0) }
  }

  /// Returns the sentence to say where nothing lies in the direction of a step.
  static func nothing(beyond destination: ReplCommand.Destination) -> String {
    guard case .time(let expression) = destination else { return "there is nothing" }
    return "there is nothing \(expression.isStepBack == true ? "older" : "newer")"
  }

  private func message(at anchor: PageAnchor) throws(StoreError) -> Message.ID? {
    try store.page(PageRequest(selection, anchor: anchor, fetchLimit: 1, wantsCounts: false)).messages.first?
      .id
  }
}
