import { ModuleProvider, Modules } from '@medusajs/framework/utils';
import { GatewayPaymentProvider } from './payment-provider.ts';

export default ModuleProvider(Modules.PAYMENT, { services: [GatewayPaymentProvider] });
