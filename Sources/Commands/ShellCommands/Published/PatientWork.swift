internal import Foundation
internal import MessageModel

enum PatientWork {
  /// Retries `body`, with growing pauses, while the server is unreachable; reports it once. Throws all other
  /// errors.
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

  /// Seconds before the first retry; each further pause is twice as long.
  private static let firstPause = 0.2
  private static let longestPause = 10.0
}
