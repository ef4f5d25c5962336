internal import MessageModel

/// The elements of a list that are answered, and whether there are more: one more than is wanted was read.
struct Portion<Element> {
  /// The elements that are answered.
  let shown: ArraySlice<Element>
  /// The one behind them; `nil` if they are the last.
  let following: Element?

  /// Reads as many elements as are wanted, and one more.
  ///
  /// - Parameter read: Returns the first elements, at least as many as the limit that it is given, if there are that many.
  init(limit: Int, _ read: (Int) throws(StoreError) -> [Element]) throws(StoreError) {
    let found = try read(limit.adding(1))
    shown = found.prefix(limit)
    following = found.dropFirst(limit).first
  }

  /// The element after which to go on; `nil` if there is no more.
  var last: Element? { following == nil ? nil : shown.last }
}
