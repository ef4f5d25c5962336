package import MessageModel
package import MessageStorage

extension SynchronousMessageStore {
  /// Makes the small pictures that are missing, if there is who makes them: the libraries for that are optional. An error is
  /// not told: the pictures wait for the next time.
  package func makeMissingPictures(by maker: (any PictureMaker)?, isCancelled: () -> Bool = { false }) {
    guard let maker else { return }
    _ = try? makePictures(by: maker) { _ in !isCancelled() }
  }
}
