public import Foundation
public import MessageModel
internal import MessageStorage

extension QuestionAnswerer {
  /// Returns how a selection goes on in time: its ends, its longest silence, its busiest day, and who answers whom how fast.
  ///
  /// - Parameters:
  ///   - selection: The messages.
  ///   - zone: The zone whose midnights part days.
  ///   - limit: The most pairs of those who answer each other, the most frequent ones.
  ///   - progress: Told now and then how many messages have been read; answers whether to go on.
  /// - Throws: ``StoreError`` of kind `cancelled` if it was stopped, `invalidRequest` if an expression is wrong, `damaged`,
  ///   `busy` or `inputOutput`.
  /// - Complexity: As for ``SynchronousMessageStore/pace(of:zone:progress:)``.
  public func pace(
    of selection: Selection, zone: TimeZone, limit: Int = QuestionAnswerer.usualLimit,
    progress: (Int) -> Bool = { _ in true }
  ) throws(StoreError) -> PaceAnswer {
    PaceAnswer(try store.pace(of: selection, zone: zone, progress: progress), limit: limit)
  }
}
