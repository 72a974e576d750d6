import { ChildProcess } from 'node:child_process';
import { Server, Socket } from 'node:net';

/*
 * Loaded into every worker of the unit tests: whatever they call answers inside the worker. A test that connects to a
 * server of another process, or starts a process, fails here and does not depend on what happens to run.
 */
const refusal = (deed: string) =>
  new Error(`a unit test may not ${deed}: move it out of test/unit, to the integration tests of its workspace`);

const ownPorts = new Set<number>();

const { listen } = Server.prototype;
Server.prototype.listen = function (this: Server, ...args: unknown[]) {
  this.once('listening', () => {
    const address = this.address();
    if (address !== null && typeof address === 'object') ownPorts.add(address.port);
  });
  return Reflect.apply(listen, this, args) as Server;
};

const { connect } = Socket.prototype;
Socket.prototype.connect = function (this: Socket, ...args: unknown[]) {
  const port = portOf(args.flat()[0]);
  if (!ownPorts.has(port)) throw refusal(`connect to port ${port}`);
  return Reflect.apply(connect, this, args) as Socket;
};

function portOf(target: unknown): number {
  return Number(typeof target === 'object' && target !== null && 'port' in target ? target.port : target);
}

// Every asynchronous way of starting a process ends here; the types do not know the method.
Object.defineProperty(ChildProcess.prototype, 'spawn', {
  value: ({ file }: { readonly file: string }) => {
    throw refusal(`start ${file}`);
  },
});
