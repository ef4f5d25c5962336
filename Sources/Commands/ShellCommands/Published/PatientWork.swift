internal import Foundation
internal import MessageModel

/// Work that goes on when a server that was away is back.
enum PatientWork {
  /// Does something, again and again with longer pauses as long as the server is away, and says so once.
  ///
  /// - Throws: What is no fault of the connection.
  static func run(_ console: Console, _ body: () throws(StoreError) -> Void) throws(StoreError) {
    var (pause, isSaid) = (firstPause, false)
    while true {
      do throws(StoreError) {
        return try body()
      } catch {
        guard error.kind == .inputOutput || error.kind == .busy else { throw error }
        if !isSaid { console.note("\(error.summary): \(error.cause ?? "no answer"); trying again") }
        isSaid = true
        Thread.sleep(forTimeInterval: pause)
        pause = min(pause * 2, longestPause)
      }
    }
  }

  /// The seconds before the second attempt; each time twice as many.
  private static let firstPause = 0.2
  private static let longestPause = 10.0
}
