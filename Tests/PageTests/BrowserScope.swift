import Foundation
import MessagePictures
import Testing

let hasPictures = PictureSupport.maker != nil

/// Gives the tests of a suite one browser, which is started before the first of them and ended after the last.
struct BrowserScope: SuiteTrait, TestScoping {
  @TaskLocal static var browser: Browser?

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    guard Self.isWanted else { return try await function() }
    let browser = Browser(driver: try WebDriver())
    try await Self.$browser.withValue(browser) { try await function() }
  }

  private static let wish = ProcessInfo.processInfo.environment["SCROLLBACK_BROWSER"]
  /// Whether a browser is there and was asked for: it takes minutes, and opens what the tests of all others do without.
  static let isWanted = ["1", "quick"].contains(wish) && WebDriver.driver != nil
  /// Whether what takes long is wanted, too.
  static let isWhole = wish == "1"
  /// The store on which the page is measured.
  static let measuredStore = ProcessInfo.processInfo.environment["SCROLLBACK_BROWSER_STORE"]
  static let reason: Comment = "needs chromedriver and SCROLLBACK_BROWSER=1, as 'make test-browser' has them"
  static let reasonOfLong: Comment = "takes minutes: a part of 'make test-browser' alone"
}

extension Trait where Self == BrowserScope {
  /// With one browser for all tests of the suite.
  static var inBrowser: BrowserScope { BrowserScope() }
}
